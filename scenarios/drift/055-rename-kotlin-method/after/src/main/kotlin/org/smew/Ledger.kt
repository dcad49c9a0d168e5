package org.smew

class Ledger(private val entries: MutableList<String> = mutableListOf()) {
    fun recordEntry(text: String) {
        entries.add(text)
    }

    fun size(): Int = entries.size
}
