package org.penstock;

/** Settings under `penstock`. */
public class PenstockProperties {
    private int peakFlowRate = 10;
    private String basinName = "upper";

    public int getPeakFlowRate() {
        return peakFlowRate;
    }

    public void setPeakFlowRate(int peakFlowRate) {
        this.peakFlowRate = peakFlowRate;
    }

    public String getBasinName() {
        return basinName;
    }
}
