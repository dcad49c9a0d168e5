package org.smew

class LedgerTest {
    fun appends() {
        val ledger = Ledger()
        ledger.appendEntry("a")
        check(ledger.size() == 1)
    }
}
