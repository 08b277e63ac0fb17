//! What the pump has to do.

const FLIGHTS: i64 = 300;

/// One flight, with a stand that moves with every message.
pub(crate) fn moved(number: i64) -> String {
    let (flid, stand) = (1 + number % FLIGHTS, 100 + number / FLIGHTS % 97);
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><MSG><META><SNDR>AODB</SNDR><SEQN>n{number}</SEQN>\
         <DTTM>20260406221007</DTTM><TYPE>SCHD</TYPE><STYP>ADFT</STYP></META><SCHD><RECS>1</RECS>\
         <FLTR><FLID>{flid}</FLID><ALCD>ZZ</ALCD><FLNO>ZZ{flid}</FLNO><MVIN>D</MVIN><SODT>07APR260945</SODT>\
         <FLTY>J</FLTY><FLIN>D</FLIN><ACFT>32N</ACFT><TRML>T1</TRML><STND>{stand}</STND></FLTR></SCHD></MSG>"
    )
}
