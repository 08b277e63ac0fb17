//! Every word of the page in Chinese and English, side by side, so that none is forgotten.

use serde_json::{Value, json};

/// Language of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    Chinese,
    English,
}

impl Language {
    /// `?lang=`, else the browser's first wish, else Chinese.
    pub(crate) fn choose(asked: Option<&str>, accepted: Option<&str>) -> Self {
        let wish = asked.or(accepted).unwrap_or("zh");
        if wish.trim_start().to_ascii_lowercase().starts_with("en") { Self::English } else { Self::Chinese }
    }

    /// Code for `<html lang>`.
    pub(crate) fn code(self) -> &'static str {
        self.pick("zh-CN", "en")
    }

    /// Code and name of the language that isn't this one.
    pub(crate) fn pick_other(self) -> (&'static str, &'static str) {
        match self {
            Self::Chinese => ("en", "English"),
            Self::English => ("zh", "中文"),
        }
    }

    /// The text of this language.
    pub(crate) fn pick(self, chinese: &'static str, english: &'static str) -> &'static str {
        match self {
            Self::Chinese => chinese,
            Self::English => english,
        }
    }
}

/// The two boards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Movement {
    Departure,
    Arrival,
}

impl Movement {
    /// MVIN.
    pub(crate) fn code(self) -> &'static str {
        match self {
            Self::Departure => "D",
            Self::Arrival => "A",
        }
    }
}

/// Title of a board.
pub(crate) fn movement(language: Language, movement: Movement) -> &'static str {
    match movement {
        Movement::Departure => language.pick("出港", "Departures"),
        Movement::Arrival => language.pick("进港", "Arrivals"),
    }
}

/// The five facts: name in the page, name for people, unit of the rate, what each rests on.
pub(crate) fn facts(language: Language) -> [(&'static str, &'static str, &'static str, &'static str); 5] {
    let say = |zh, en| language.pick(zh, en);
    let per_second = say("条/秒", "/s");
    [
        ("landed", say("落信", "Landed"), per_second, say("信箱中的行", "rows in the mailbox")),
        ("enqueued", say("入队", "Enqueued"), per_second, say("已入自有库", "rows in the own store")),
        ("processed", say("处理完成", "Processed"), per_second, say("已达终态", "in a terminal state")),
        (
            "delivered",
            say("投递确认", "Delivered"),
            say("个/秒", "/s"),
            say("目标已接受的事件", "events acknowledged"),
        ),
        ("marked", say("已回填", "Marked"), per_second, say("标记已写回信箱", "marks written back")),
    ]
}

/// Columns of a board: name in the page, name for people.
pub(crate) fn columns(language: Language, movement: Movement) -> [(&'static str, &'static str); 9] {
    let say = |zh, en| language.pick(zh, en);
    let (place, exit) = match movement {
        Movement::Departure => (say("前往", "To"), ("gate", say("登机口", "Gate"))),
        Movement::Arrival => (say("来自", "From"), ("belt", say("转盘", "Belt"))),
    };
    [
        ("flight", say("航班", "Flight")),
        ("place", place),
        ("scheduled", say("计划", "Sched")),
        ("estimated", say("预计", "Est")),
        ("actual", say("实际", "Actual")),
        exit,
        ("stand", say("机位", "Stand")),
        ("status", say("状态", "Status")),
        ("remark", say("备注", "Remark")),
    ]
}

/// Texts the scripts need, as a JSON object in the page.
pub(crate) fn script_words(language: Language) -> Value {
    let say = |zh, en| language.pick(zh, en);
    json!({
        "noHead": say("队列为空", "Queue empty"),
        "head": say("队头", "head"),
        "blocked": say("受阻", "is blocked"),
        "headBlocked": say("队头受阻，后面的报文都在等待", "The head is blocked; everything behind it waits"),
        "attempts": say("已尝试", "attempts"),
        "next": say("下次尝试", "next in"),
        "waiting": say("条等待处理", "waiting"),
        "deadLetters": say("条死信", "dead letters"),
        "noGaps": say("没有空洞", "No open gaps"),
        "gapsOpen": say("个空洞正在老化", "gaps ageing"),
        "oldest": say("最久", "oldest"),
        "ids": say("个 ID", "IDs"),
        "released": say("已放行 ID", "IDs released"),
        "late": say("条迟到行待处置", "late rows to decide on"),
        "pending": say("个事件待投递", "events pending"),
        "deadEvents": say("投递失败，待处置", "Events not accepted"),
        "owed": say("条欠标记", "marks owed"),
        "abandoned": say("放弃", "abandoned"),
        "behind": say("条落后", "behind"),
        "leader": say("主用", "leader"),
        "standby": say("备用：另一实例持有租约", "standby: another process holds the lease"),
        "lost": say("连接中断，正在重连；数据截至", "Connection lost, trying again; as of"),
        "allWell": say("运行正常", "All well"),
        "cancelled": say("取消", "Cancelled"),
        "deleted": say("已删除", "Deleted"),
        "diverted": say("备降", "Diverted"),
        "delayed": say("延误", "Delayed"),
        "via": say("经", "via"),
        "seconds": say("秒", "s"),
        "minutes": say("分钟", "min"),
        "hours": say("小时", "h"),
        "classes": labelled(language, &CLASSES),
        "statuses": labelled(language, &STATUSES),
    })
}

fn labelled(language: Language, labels: &[(&str, &'static str, &'static str)]) -> Value {
    labels.iter().map(|(code, zh, en)| ((*code).to_owned(), Value::from(language.pick(zh, en)))).collect()
}

/// Error classes by their stored names.
const CLASSES: [(&str, &str, &str); 6] = [
    ("MALFORMED", "报文格式错误", "malformed"),
    ("PROTOCOL", "违反报文协议", "breaks the protocol"),
    ("CODEC_ERROR", "字段无法解析", "a field can't be read"),
    ("UNSUPPORTED", "未知的报文类型", "type not known"),
    ("INFRA", "存储或外部系统故障", "trouble around it"),
    ("EXHAUSTED", "重试次数用尽", "tried too often"),
];

/// Common flight status codes. An airport has its own list: what isn't here is shown as it came.
const STATUSES: [(&str, &str, &str); 17] = [
    ("SCH", "计划", "Scheduled"),
    ("DLY", "延误", "Delayed"),
    ("CKI", "值机", "Check-in"),
    ("BOR", "登机", "Boarding"),
    ("LBD", "催促登机", "Last call"),
    ("POK", "登机结束", "Gate closed"),
    ("OUT", "滑出", "Off blocks"),
    ("AIR", "已起飞", "Airborne"),
    ("ENR", "飞行中", "En route"),
    ("APP", "进近", "Approach"),
    ("LND", "已落地", "Landed"),
    ("ARR", "已到达", "Arrived"),
    ("BAG", "行李提取", "Bags"),
    ("END", "结束", "Finished"),
    ("CAN", "取消", "Cancelled"),
    ("DIV", "备降", "Diverted"),
    ("RTN", "返航", "Returned"),
];

#[cfg(test)]
mod tests {
    use domain::message::ErrorClass;

    use super::{CLASSES, Language};

    #[test]
    fn every_error_class_has_its_words() {
        assert_eq!(ErrorClass::ALL.map(ErrorClass::as_str), CLASSES.map(|(class, _, _)| class));
    }

    #[test]
    fn the_page_speaks_the_language_asked_for_then_the_browsers_then_chinese() {
        assert_eq!(Language::choose(Some("en"), Some("zh-CN")), Language::English);
        assert_eq!(Language::choose(None, Some("en-GB,zh")), Language::English);
        assert_eq!(Language::choose(None, Some("zh-CN,en")), Language::Chinese);
        assert_eq!(Language::choose(None, None), Language::Chinese);
    }
}
