//! The airport and all that flies there. Carriers and agents are invented.

/// The airport that all of this happens at.
pub(crate) const HOME: &str = "TAO";

/// Domestic or international, as FLIN says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Region {
    Domestic,
    International,
}

impl Region {
    pub(crate) fn code(self) -> &'static str {
        match self {
            Self::Domestic => "D",
            Self::International => "I",
        }
    }

    pub(crate) fn terminal(self) -> &'static str {
        match self {
            Self::Domestic => "T1",
            Self::International => "T2",
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Carrier {
    pub(crate) code: &'static str,
    /// First flight number; arrivals are odd, the departure after one is the next number.
    pub(crate) first_number: u32,
    /// Handling agent of passengers and ground, and of maintenance.
    pub(crate) agents: [u32; 2],
}

pub(crate) const CARRIERS: [Carrier; 8] = [
    Carrier { code: "ZZ", first_number: 6201, agents: [310_442, 310_518] },
    Carrier { code: "ZZ", first_number: 2801, agents: [310_442, 310_518] },
    Carrier { code: "XX", first_number: 8011, agents: [310_447, 310_518] },
    Carrier { code: "QQ", first_number: 1331, agents: [310_442, 310_521] },
    Carrier { code: "VV", first_number: 9005, agents: [310_451, 310_521] },
    Carrier { code: "WW", first_number: 3317, agents: [310_451, 310_530] },
    Carrier { code: "YZ", first_number: 7719, agents: [310_447, 310_530] },
    Carrier { code: "XQ", first_number: 4403, agents: [310_460, 310_518] },
];

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Airport {
    pub(crate) code: &'static str,
    /// Flying time from home in minutes.
    pub(crate) minutes: i32,
}

const fn airport(code: &'static str, minutes: i32) -> Airport {
    Airport { code, minutes }
}

pub(crate) const DOMESTIC: [Airport; 22] = [
    airport("PEK", 90),
    airport("PKX", 95),
    airport("SHA", 95),
    airport("PVG", 100),
    airport("CAN", 190),
    airport("SZX", 185),
    airport("CTU", 180),
    airport("TFU", 180),
    airport("CKG", 165),
    airport("XIY", 125),
    airport("KMG", 215),
    airport("HGH", 100),
    airport("NKG", 80),
    airport("WUH", 110),
    airport("CSX", 140),
    airport("XMN", 150),
    airport("SHE", 85),
    airport("DLC", 55),
    airport("HRB", 120),
    airport("CGQ", 105),
    airport("HAK", 230),
    airport("URC", 300),
];

pub(crate) const INTERNATIONAL: [Airport; 8] = [
    airport("ICN", 85),
    airport("KIX", 135),
    airport("NRT", 160),
    airport("HKG", 195),
    airport("BKK", 320),
    airport("SIN", 375),
    airport("DXB", 540),
    airport("FRA", 660),
];

/// Where a flight may call on the way.
pub(crate) const CALLS: [Airport; 4] =
    [airport("CGO", 85), airport("TNA", 60), airport("HFE", 75), airport("TYN", 80)];

/// Where a flight goes that can't land here.
pub(crate) const ALTERNATES: [&str; 4] = ["YNT", "TNA", "WEH", "DLC"];

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct AircraftType {
    pub(crate) code: &'static str,
    pub(crate) seats: i32,
    /// Shortest time on the stand between two flights, in minutes.
    pub(crate) turnaround: i32,
}

pub(crate) const NARROW: [AircraftType; 6] = [
    AircraftType { code: "32N", seats: 174, turnaround: 45 },
    AircraftType { code: "320", seats: 158, turnaround: 45 },
    AircraftType { code: "321", seats: 194, turnaround: 50 },
    AircraftType { code: "73H", seats: 170, turnaround: 45 },
    AircraftType { code: "7M8", seats: 178, turnaround: 45 },
    AircraftType { code: "E90", seats: 98, turnaround: 40 },
];

pub(crate) const WIDE: [AircraftType; 3] = [
    AircraftType { code: "333", seats: 301, turnaround: 75 },
    AircraftType { code: "359", seats: 314, turnaround: 80 },
    AircraftType { code: "789", seats: 288, turnaround: 75 },
];

pub(crate) const RUNWAYS: [&str; 4] = ["17L", "17R", "35L", "35R"];

/// Delay codes with what the duty manager writes beside them.
pub(crate) const DELAYS: [(&str, &str); 9] = [
    ("WX", "目的地雷雨"),
    ("WX", "本场大雾，能见度不足"),
    ("FC", "空中流量控制"),
    ("FC", "航路流控，间隔 15 分钟"),
    ("RL", "前序航班晚到"),
    ("MT", "机械故障，机务排故"),
    ("CG", "货物装载超时"),
    ("PX", "等待中转旅客 6 人"),
    ("CR", "机组超时，更换机组"),
];

pub(crate) const CANCELLED: [&str; 4] =
    ["公司计划取消", "天气原因取消", "机械故障取消，旅客改签后续航班", "运力调配取消"];

pub(crate) const DIVERTED: [&str; 3] = ["本场雷雨备降", "本场大雾备降", "本场风切变备降"];

pub(crate) const RETURNED: [&str; 3] =
    ["旅客突发疾病滑回", "机械故障信号灯亮，滑回检查", "旅客要求下机，清舱"];

pub(crate) const TURNED_BACK: [&str; 2] = ["起落架信号异常返航", "客舱异味返航"];

pub(crate) const OVERSHOT: [&str; 3] = ["风切变复飞", "跑道未脱离复飞", "进近不稳定复飞"];

pub(crate) const REMARKS: [&str; 10] = [
    "有轮椅旅客两名",
    "无成人陪伴儿童 1 名，请服务员交接",
    "担架旅客，需升降平台车",
    "旅客团队 46 人，行李较多",
    "随机押运 2 人",
    "活体动物 3 件，请优先卸机",
    "机上一名旅客发热，已通知检疫",
    "座椅故障 <32 排 A/B>，勿安排旅客",
    "廊桥故障 & 远机位摆渡",
    "航班临时换机型，座位图有变",
];

pub(crate) const STATUS_REMARKS: [&str; 3] = ["请旅客耐心等待", "登机口更换，请留意广播", "预计时间待定"];
