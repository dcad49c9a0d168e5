package org.smew

class LedgerTest {
    fun appends() {
        val ledger = Ledger()
        ledger.recordEntry("a")
        check(ledger.size() == 1)
    }
}
