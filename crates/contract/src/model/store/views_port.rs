//! Reads for people, view by view: which of [`Tables`]' methods.

use domain::flight::Flight;
use domain::{Flid, MsgId};
use engine::ports::{
    ChangeView, FiveFacts, GapCount, KindCount, MessageView, OutboxCount, OutcomeCount, PastView, QueueView,
    StoreError, Views,
};
use jiff::civil::Date;

use super::tables::Tables;
use super::{Store, StoreVerb};

impl Views for Store {
    async fn five_facts(&self) -> Result<FiveFacts, StoreError> {
        self.read(StoreVerb::Views, Tables::five_facts).await
    }

    async fn outcomes(&self) -> Result<Vec<OutcomeCount>, StoreError> {
        self.read(StoreVerb::Views, Tables::outcomes).await
    }

    async fn queue(&self) -> Result<QueueView, StoreError> {
        self.read(StoreVerb::Views, Tables::queue).await
    }

    async fn gaps(&self) -> Result<GapCount, StoreError> {
        self.read(StoreVerb::Views, Tables::gaps).await
    }

    async fn outbox(&self) -> Result<Vec<OutboxCount>, StoreError> {
        self.read(StoreVerb::Views, Tables::outbox).await
    }

    async fn flights(&self, limit: usize) -> Result<Vec<Flight>, StoreError> {
        self.read(StoreVerb::Views, |t| t.board(limit)).await
    }

    async fn flight(&self, flid: Flid) -> Result<Option<Flight>, StoreError> {
        self.read(StoreVerb::Views, |t| t.current(flid).cloned()).await
    }

    async fn message(&self, msg_id: MsgId) -> Result<Option<MessageView>, StoreError> {
        self.read(StoreVerb::Views, |t| t.message(msg_id)).await
    }

    async fn flights_of(&self, day: Date, limit: usize) -> Result<Vec<Flight>, StoreError> {
        self.read(StoreVerb::Views, |t| t.flights_of(day, limit)).await
    }

    async fn past_flights_of(&self, day: Date, limit: usize) -> Result<Vec<PastView>, StoreError> {
        self.read(StoreVerb::Views, |t| t.past_flights_of(day, limit)).await
    }

    async fn past_flights(&self, flid: Flid) -> Result<Vec<PastView>, StoreError> {
        self.read(StoreVerb::Views, |t| t.past_flights(flid)).await
    }

    async fn flight_changes(&self, flid: Flid, limit: usize) -> Result<Vec<ChangeView>, StoreError> {
        self.read(StoreVerb::Views, |t| t.flight_changes(flid, limit)).await
    }

    async fn relatives(&self, flid: Flid) -> Result<Vec<Flight>, StoreError> {
        self.read(StoreVerb::Views, |t| t.relatives(flid)).await
    }

    async fn message_kinds(&self) -> Result<Vec<KindCount>, StoreError> {
        self.read(StoreVerb::Views, Tables::message_kinds).await
    }
}
