//! All chance, from one seed.
//!
//! Only the key stream of ChaCha8 is relied on, which is the same everywhere; how numbers are
//! drawn from it is written out here, so that a newer `rand` can't change anybody's traffic.

use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng, SeedableRng},
};

/// What the dice are thrown for: streams that don't disturb each other.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Purpose {
    /// What one day brings.
    Day,
    /// What goes wrong on the way.
    Trouble,
    /// What only makes a message longer.
    Padding,
}

#[derive(Debug, Clone)]
pub(crate) struct Dice(ChaCha8Rng);

impl Dice {
    /// `number` tells apart several dice of one purpose, such as those of each day.
    pub(crate) fn new(seed: u64, purpose: Purpose, number: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..16].copy_from_slice(&number.to_le_bytes());
        key[16] = match purpose {
            Purpose::Day => 1,
            Purpose::Trouble => 2,
            Purpose::Padding => 3,
        };
        Self(ChaCha8Rng::from_seed(key))
    }

    /// A number from 0 to `bound - 1`; 0 where `bound` is 0. The bias is below 1 in 2^32.
    pub(crate) fn below(&mut self, bound: u32) -> u32 {
        ((u64::from(self.0.next_u32()) * u64::from(bound)) >> 32) as u32
    }

    /// A number from `low` to `high`, both included.
    pub(crate) fn between(&mut self, low: i32, high: i32) -> i32 {
        low + self.below(high.abs_diff(low) + 1) as i32
    }

    /// True with the given probability; rates below 0 are never, above 1 always.
    pub(crate) fn chance(&mut self, rate: f64) -> bool {
        f64::from(self.0.next_u32()) < rate * 4_294_967_296.0
    }

    /// One of them. The list must not be empty.
    pub(crate) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len() as u32) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_between_their_bounds_and_reach_both() {
        let mut dice = Dice::new(1, Purpose::Day, 0);
        let drawn: Vec<i32> = (0..1000).map(|_| dice.between(-3, 4)).collect();
        assert_eq!((drawn.iter().min(), drawn.iter().max()), (Some(&-3), Some(&4)));
    }

    #[test]
    fn rate_0_is_never_and_rate_1_always() {
        let mut dice = Dice::new(1, Purpose::Day, 0);
        assert!((0..1000).all(|_| !dice.chance(0.0) && dice.chance(1.0)));
    }

    #[test]
    fn purposes_and_numbers_have_streams_of_their_own() {
        let draw = |purpose, number| Dice::new(1, purpose, number).below(u32::MAX);
        assert_ne!(draw(Purpose::Day, 0), draw(Purpose::Trouble, 0));
        assert_ne!(draw(Purpose::Day, 0), draw(Purpose::Day, 1));
    }
}
