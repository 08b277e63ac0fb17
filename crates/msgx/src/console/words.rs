//! The words of the page in Chinese and English, side by side, so that none is forgotten.

use super::Language;

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
            say("KAFKA:msg 已接受的事件", "KAFKA:msg events acknowledged"),
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
