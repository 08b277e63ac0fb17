//! The words of a story.

use crate::flight::Life;

/// Language of a story.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// 中文
    Chinese,
    /// English
    English,
}

impl Language {
    /// The text of this language.
    pub fn pick<'a>(self, chinese: &'a str, english: &'a str) -> &'a str {
        match self {
            Self::Chinese => chinese,
            Self::English => english,
        }
    }

    /// What became of a flight; an earlier life may be history, so that nothing stands before.
    pub(super) fn life(self, before: Option<Life>, after: Life, incarnation: i32) -> &'static str {
        let (chinese, english) = match (before, after) {
            (None, Life::Active) if incarnation > 1 => ("重新建立，新的一生", "begins a new life"),
            (None, Life::Partial) => ("计划未到，先收到动态", "first heard of, before its schedule"),
            (Some(Life::Partial), Life::Active) => ("计划到达，航班生效", "its schedule arrives"),
            (None | Some(Life::Active), Life::Active) => ("随计划建立", "comes with the schedule"),
            (Some(Life::Deleted), Life::Active | Life::Partial) => {
                ("重新建立，新的一生", "begins a new life")
            }
            (Some(_), Life::Partial) => ("回到未生效", "waits for its schedule again"),
            (_, Life::Deleted) => ("航班删除", "deleted"),
        };
        self.pick(chinese, english)
    }

    /// So many fields more.
    pub(super) fn more(self, count: usize) -> String {
        match self {
            Self::Chinese => format!("另有 {count} 项"),
            Self::English if count == 1 => "and 1 field more".to_owned(),
            Self::English => format!("and {count} fields more"),
        }
    }

    pub(super) fn reinstated(self) -> &'static str {
        self.pick("撤销取消，恢复执行", "reinstated")
    }

    /// What may not be told, or can't.
    pub(super) fn not_shown(self) -> &'static str {
        self.pick("有变（不显示）", "changed (not shown)")
    }

    /// A step whose changes are not in the timeline.
    pub(super) fn nothing_to_see(self) -> &'static str {
        self.pick("无可显示的变更", "changed nothing that is shown")
    }

    pub(super) fn becomes_history(self) -> &'static str {
        self.pick("运营日已过，转入历史", "its day is over: it becomes history")
    }

    pub(super) fn unreadable(self) -> &'static str {
        self.pick("此步记录无法读取", "this step can't be read")
    }
}
