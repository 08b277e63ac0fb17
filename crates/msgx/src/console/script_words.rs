//! The words the scripts put into the page, in both languages.

use serde_json::{Value, json};

use super::Language;

/// Texts the scripts need, as a JSON object in the page.
pub(crate) fn script_words(language: Language) -> Value {
    let say = |zh, en| language.pick(zh, en);
    json!({
        "noHead": say("队列为空", "Queue empty"),
        "head": say("队头", "head"),
        "blocked": say("受阻", "is blocked"),
        "headBlocked": say("队头受阻，后面的报文都在等待", "The head is blocked; everything behind it waits"),
        "attempts": say("已尝试 {} 次", "attempt {}"),
        "next": say("{} 后重试", "next in {}"),
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
        "standby": say("备用", "standby"),
        "standbyFacts": say("另一实例持有租约，事实由它计数", "Another process holds the lease and counts the facts"),
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

    use super::CLASSES;

    #[test]
    fn every_error_class_has_its_words() {
        assert_eq!(ErrorClass::ALL.map(ErrorClass::as_str), CLASSES.map(|(class, _, _)| class));
    }
}
