package org.avocet;

import org.avocet.input.Reader;

class ReaderTest {
    void reads() {
        new Reader().read("a");
    }
}
