package org.smew

class Ledger(private val entries: MutableList<String> = mutableListOf()) {
    fun appendEntry(text: String) {
        entries.add(text)
    }

    fun size(): Int = entries.size
}
