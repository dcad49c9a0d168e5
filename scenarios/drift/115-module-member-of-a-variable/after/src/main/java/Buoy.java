public class Buoy {
  public void sink() {
    logger.debug("sinks");
  }

  public void rise() {
    logger.debug("rises");
  }
}
