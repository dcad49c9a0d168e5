package org.avocet;

import org.avocet.parse.Reader;

class ReaderTest {
    void reads() {
        new Reader().read("a");
    }
}
