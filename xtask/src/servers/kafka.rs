//! One Apache Kafka broker that is its own controller (KRaft), for the sink.

use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};

use super::place::{Place, free_port};
use super::server::{Server, Stop};
use super::{Kind, jars};
use crate::{places, step};

pub(super) const KIND: Kind = Kind {
    name: "kafka",
    variable: "MSGX_TEST_KAFKA",
    packages: &["openjdk-17-jre-headless", "maven"],
    installed: || ["java", "mvn"].iter().all(|name| places::program(name, &[]).is_some()),
    start,
};

/// It doesn't mind root, and the jars may lie in root's home.
const ACCOUNT: &str = "root";

fn start(place: &Place) -> Result<Server> {
    let jars = jars::fetch()?;
    let directory = place.directory("kafka", ACCOUNT)?;
    let port = free_port()?;
    let properties = directory.join("server.properties");
    fs::write(&properties, settings(port, free_port()?, &directory.join("data")))
        .with_context(|| format!("can't write {}", properties.display()))?;
    let java = |main: &str| -> Result<std::process::Command> {
        let mut command = place.command(&found()?, ACCOUNT, "KILL");
        command
            .args(["-Xmx512m", "-Xms256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp"])
            .arg(jars.join("*"));
        command.arg(format!("-Dlog4j2.configurationFile={}", log_settings().display())).arg(main);
        Ok(command)
    };
    // Any 16 bytes in base64 name a cluster.
    let format = ["format", "--cluster-id", "bXNneC10ZXN0LWNsdXN0ZQ", "--config"];
    step::quietly(java("kafka.tools.StorageTool")?.args(format).arg(&properties))?;
    let mut command = java("kafka.Kafka")?;
    command.arg(&properties);
    let server = Server::start(KIND.name, &mut command, place, Stop::Kill, move || answers(port))?;
    Ok(server.export(KIND.variable, format!("127.0.0.1:{port}")))
}

fn settings(port: u16, controller_port: u16, data: &Path) -> String {
    format!(
        "process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:{controller_port}
controller.listener.names=CONTROLLER
listeners=PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller_port}
advertised.listeners=PLAINTEXT://127.0.0.1:{port}
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
log.dirs={}
auto.create.topics.enable=false
num.partitions=3
offsets.topic.replication.factor=1
offsets.topic.num.partitions=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
group.initial.rebalance.delay.ms=0
",
        data.display()
    )
}

/// Does it answer a metadata request, and name itself in it? It does so only once it takes
/// part in the cluster.
fn answers(port: u16) -> bool {
    brokers(port).is_ok_and(|brokers| brokers > 0)
}

/// Metadata request, version 4, for no topics; the number of brokers in the response.
fn brokers(port: u16) -> std::io::Result<i32> {
    const REQUEST: [u8; 19] = [
        0, 0, 0, 15, // length of what follows
        0, 3, 0, 4, // metadata, version 4
        0, 0, 0, 1, // correlation
        0xff, 0xff, // no client name
        0, 0, 0, 0, // no topics
        0, // create none
    ];
    // length, correlation, throttle time, number of brokers
    let mut head = [0; 16];
    let address = SocketAddr::from(([127, 0, 0, 1], port));
    let mut stream = TcpStream::connect_timeout(&address, Duration::from_secs(1))?;
    stream.set_read_timeout(Some(Duration::from_secs(2)))?;
    stream.write_all(&REQUEST)?;
    stream.read_exact(&mut head)?;
    Ok(i32::from_be_bytes([head[12], head[13], head[14], head[15]]))
}

fn log_settings() -> PathBuf {
    places::workspace().join("xtask/kafka/log4j2.properties")
}

fn found() -> Result<PathBuf> {
    places::program("java", &[]).context("java not found")
}
