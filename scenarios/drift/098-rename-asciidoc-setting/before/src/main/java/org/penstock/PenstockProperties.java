package org.penstock;

/** Settings under `penstock`. */
public class PenstockProperties {
    private int maxFlowRate = 10;
    private String basinName = "upper";

    public int getMaxFlowRate() {
        return maxFlowRate;
    }

    public void setMaxFlowRate(int maxFlowRate) {
        this.maxFlowRate = maxFlowRate;
    }

    public String getBasinName() {
        return basinName;
    }
}
