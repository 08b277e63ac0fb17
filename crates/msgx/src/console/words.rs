//! Every word of the page in Chinese and English, side by side, so that none is forgotten.

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

/// The five facts and what each rests on.
pub(crate) fn facts(language: Language) -> [(&'static str, &'static str, &'static str); 5] {
    let say = |zh, en| language.pick(zh, en);
    [
        ("landed", say("落信", "Landed"), say("信箱中的行", "rows in the mailbox")),
        ("enqueued", say("入队", "Enqueued"), say("已入自有库", "rows in the own store")),
        ("processed", say("处理完成", "Processed"), say("已达终态", "in a terminal state")),
        ("delivered", say("投递确认", "Delivered"), say("目标已接受的事件", "events acknowledged")),
        ("marked", say("已回填", "Marked"), say("标记已写回信箱", "marks written back")),
    ]
}

/// Columns of the flight board.
pub(crate) fn columns(language: Language) -> [(&'static str, &'static str); 9] {
    let say = |zh, en| language.pick(zh, en);
    [
        ("flight", say("航班", "Flight")),
        ("route", say("航线", "Route")),
        ("scheduled", say("计划", "Sched")),
        ("estimated", say("预计", "Est")),
        ("actual", say("实际", "Actual")),
        ("gate", say("登机口", "Gate")),
        ("stand", say("机位", "Stand")),
        ("status", say("状态", "Status")),
        ("remark", say("备注", "Remark")),
    ]
}

/// Texts the script needs, as a JSON object in the page.
pub(crate) fn script_words(language: Language) -> serde_json::Value {
    let say = |zh, en| language.pick(zh, en);
    serde_json::json!({
        "perSecond": say("条/秒", "/s"),
        "noHead": say("队列为空：没有等待处理的报文", "Queue empty: nothing waits"),
        "headPending": say("队头待处理", "Head pending"),
        "headBlocked": say("队头受阻，后面的报文都在等待", "The head is blocked; everything behind it waits"),
        "attempts": say("已尝试", "attempts"),
        "next": say("下次尝试", "next attempt"),
        "waiting": say("等待处理", "waiting"),
        "noGaps": say("没有空洞", "No open gaps"),
        "gapsOpen": say("个空洞正在老化", "open gap(s) ageing"),
        "oldest": say("最久", "oldest"),
        "ids": say("个 ID", "ID(s)"),
        "released": say("已放行 ID", "IDs released"),
        "late": say("迟到行待处置", "late row(s) to decide on"),
        "pending": say("待投递", "pending"),
        "dead": say("死信", "dead"),
        "owed": say("欠标记", "marks owed"),
        "leader": say("主用", "leader"),
        "standby": say("备用：另一实例持有租约", "standby: another process holds the lease"),
        "live": say("实时", "live"),
        "lost": say("连接中断，正在重连…", "Connection lost, trying again…"),
        "allWell": say("运行正常", "All well"),
        "noFlights": say("尚无航班：等待日计划（SCHD）到达", "No flights yet: waiting for a schedule (SCHD)"),
        "cancelled": say("取消", "Cancelled"),
        "deleted": say("已删除", "Deleted"),
        "diverted": say("备降", "Diverted"),
        "delayed": say("延误", "Delayed"),
        "seconds": say("秒", "s"),
    })
}

#[cfg(test)]
mod tests {
    use super::Language;

    #[test]
    fn the_page_speaks_the_language_asked_for_then_the_browsers_then_chinese() {
        assert_eq!(Language::choose(Some("en"), Some("zh-CN")), Language::English);
        assert_eq!(Language::choose(None, Some("en-GB,zh")), Language::English);
        assert_eq!(Language::choose(None, Some("zh-CN,en")), Language::Chinese);
        assert_eq!(Language::choose(None, None), Language::Chinese);
    }
}
