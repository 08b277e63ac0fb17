//! The test clock settles, passes and wakes as its users rely on.

use super::*;

const SECOND: Duration = Duration::from_secs(1);

fn pausing(clock: &TestClock, wake: &Wake, longest: Duration) -> tokio::task::JoinHandle<Duration> {
    let (clock, wake) = (clock.clone(), wake.clone());
    tokio::spawn(async move {
        clock.pause(&wake, longest).await;
        clock.monotonic()
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pause_ends_when_its_time_has_come_and_not_before() {
    let clock = TestClock::default();
    let short = pausing(&clock, &Wake::default(), SECOND);
    let long = pausing(&clock, &Wake::default(), 2 * SECOND);
    clock.settled(2).await;
    assert_eq!(clock.next_due(), Some(SECOND));
    clock.advance(SECOND);
    assert_eq!(short.await.expect("ends"), SECOND);
    clock.settled(1).await;
    assert!(!long.is_finished());
    clock.advance(SECOND);
    assert_eq!(long.await.expect("ends"), 2 * SECOND);
}

#[tokio::test]
async fn a_ring_ends_a_pause_and_a_ring_before_it_is_remembered() {
    let (clock, wake) = (TestClock::default(), Wake::default());
    let pause = pausing(&clock, &wake, SECOND);
    clock.settled(1).await;
    wake.ring();
    assert_eq!(pause.await.expect("ends"), Duration::ZERO);
    wake.ring();
    assert_eq!(pausing(&clock, &wake, SECOND).await.expect("ends"), Duration::ZERO);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn settled_is_not_true_while_a_rung_task_is_on_its_way() {
    let (clock, wake) = (TestClock::default(), Wake::default());
    for _ in 0..1_000 {
        let pause = pausing(&clock, &wake, SECOND);
        clock.settled(1).await;
        wake.ring();
        clock.settled(0).await;
        assert_eq!(clock.next_due(), None, "the pause has been left");
        pause.await.expect("ends");
    }
}

#[tokio::test]
async fn time_passes_through_every_due_pause() {
    let clock = TestClock::default();
    let task = tokio::spawn({
        let clock = clock.clone();
        async move {
            let mut seen = Vec::new();
            for _ in 0..3 {
                clock.pause(&Wake::default(), 2 * SECOND).await;
                seen.push(clock.monotonic().as_secs());
            }
            clock.pause(&Wake::default(), 60 * SECOND).await;
            seen
        }
    });
    clock.pass(7 * SECOND, 1).await;
    assert_eq!(clock.monotonic(), 7 * SECOND);
    clock.advance(60 * SECOND);
    assert_eq!(task.await.expect("ends"), [2, 4, 6]);
    assert_eq!(clock.wall(), crate::sample::EPOCH + 67 * SECOND);
}
