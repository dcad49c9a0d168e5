package org.penstock;

class PenstockPropertiesTest {
    void reads() {
        new PenstockProperties().getPeakFlowRate();
    }
}
