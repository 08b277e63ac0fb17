//! The in-memory models keep the contracts they are used in place of.

mod store {
    contract::store_suite!(contract::model::StoreSubject);
}

mod mailbox {
    contract::mailbox_suite!(contract::model::MailboxSubject);
}

mod sink {
    contract::sink_suite!(contract::model::SinkSubject);
}
