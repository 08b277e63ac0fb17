//! The messages measured with: one airport's ordinary traffic, nothing broken, of an agreed size.

use airport::{Options, Trouble, traffic};

use super::Plan;

/// Bodies in order; message `n` has ID `n + 1`.
pub(super) fn letters(plan: &Plan) -> Vec<Vec<u8>> {
    let options =
        Options { seed: plan.seed, flights: plan.flights, trouble: Trouble::none(), ..Options::default() };
    traffic(&options).filter_map(|letter| letter.padded_to(plan.bytes).body).take(plan.messages).collect()
}
