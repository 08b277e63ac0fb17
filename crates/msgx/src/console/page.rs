//! The page's markup.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::words::{self, Movement};
use super::{Language, script_words::script_words};

/// What the page says of the process it belongs to.
#[derive(Debug, Clone)]
pub(crate) struct Setting {
    /// Demo or service.
    pub(crate) demo: bool,
    /// Embedded store, mailbox and sink, loopback only: no login.
    pub(crate) embedded: bool,
    /// Where the data lies, without credentials.
    pub(crate) places: String,
}

/// The whole page.
pub(crate) fn page(language: Language, setting: &Setting) -> String {
    let say = |zh, en| language.pick(zh, en);
    html! {
        (DOCTYPE)
        html lang=(language.code()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "msgexchange" }
                link rel="icon" href="/assets/icon.svg" type="image/svg+xml";
                link rel="stylesheet" href="/assets/console.css";
                script type="module" src="/assets/console.js" {}
            }
            body {
                script type="application/json" id="words" { (PreEscaped(script_json(language))) }
                (top(language, setting))
                main {
                    section.flow aria-label=(say("五个事实", "The five facts")) { (flow(language)) }
                    section.cockpit {
                        (card("head", say("队头", "Head of the queue")))
                        (card("gaps", say("空洞", "Gaps")))
                        (card("outbox", say("投递", "Outbox")))
                        (card("marks", say("回填", "Marks")))
                    }
                    section.boards {
                        (board(language, Movement::Departure))
                        (board(language, Movement::Arrival))
                    }
                }
                footer {
                    span { (setting.places) }
                    @if setting.embedded {
                        span { (say("内嵌模式：仅本机可访问，无需登录", "Embedded: this machine only, no login")) }
                    }
                    a href="/metrics" { (say("指标", "Metrics")) }
                    a href="/api/v1/status" { (say("状态", "Status")) }
                    a href="/api/v1/flights" { (say("航班", "Flights")) }
                }
            }
        }
    }
    .into_string()
}

/// JSON inside a script element: `<` must not end it.
fn script_json(language: Language) -> String {
    script_words(language).to_string().replace('<', "\\u003c")
}

fn top(language: Language, setting: &Setting) -> Markup {
    let (other, name) = language.pick_other();
    html! {
        header {
            h1 { "msg" b { "exchange" } }
            @if setting.demo {
                span.tag { (language.pick("演示：模拟机场报文", "Demo: simulated airport traffic")) }
            }
            p #health role="status" { (language.pick("正在连接…", "Connecting…")) }
            span #leader.tag.quiet {}
            nav { a href={ "?lang=" (other) } lang=(other) { (name) } }
        }
    }
}

fn flow(language: Language) -> Markup {
    html! {
        ol {
            @for (id, name, unit, basis) in words::facts(language) {
                li id={ "fact-" (id) } {
                    span.name { (name) }
                    strong data-count { "–" }
                    span.rate { span data-rate { "–" } " " (unit) }
                    svg.spark viewBox="0 0 120 24" preserveAspectRatio="none" aria-hidden="true" {
                        path data-spark d="M0 24" {}
                    }
                    span.basis { span { (basis) } b data-behind {} }
                }
            }
        }
    }
}

fn card(id: &str, title: &str) -> Markup {
    html! {
        article.card id=(id) { h2 { (title) } p.main { "–" } p.more {} }
    }
}

fn board(language: Language, movement: Movement) -> Markup {
    let title = words::movement(language, movement);
    html! {
        div.board {
            h2 { (title) small { (language.pick("最近有变化的航班", "latest changes")) } }
            div.scroll tabindex="0" role="region" aria-label=(title) {
                table id={ "board-" (movement.code()) } {
                    thead { tr { @for (id, name) in words::columns(language, movement) { th class=(id) scope="col" { (name) } } } }
                    tbody {}
                }
                p.empty { (language.pick("尚无航班：等待日计划（SCHD）到达", "No flights yet: waiting for a schedule (SCHD)")) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_names_the_five_facts_in_both_languages() {
        let setting = Setting { demo: true, embedded: true, places: "data in <here>".into() };
        let chinese = page(Language::Chinese, &setting);
        for word in ["落信", "入队", "处理完成", "已回填", "投递确认", "&lt;here&gt;"] {
            assert!(chinese.contains(word), "{word}");
        }
        let english = page(Language::English, &setting);
        for word in ["Landed", "Enqueued", "Processed", "Marked", "Delivered"] {
            assert!(english.contains(word), "{word}");
        }
    }
}
