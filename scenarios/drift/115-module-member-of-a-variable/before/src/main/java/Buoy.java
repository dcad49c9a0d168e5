public class Buoy {
  public void sink() {
    logger.info("sinks");
  }

  public void rise() {
    logger.info("rises");
  }
}
