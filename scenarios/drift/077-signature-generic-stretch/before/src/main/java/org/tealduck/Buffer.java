package org.tealduck;

public final class Buffer {
    private final StringBuilder builder = new StringBuilder();

    public void clear() {
        builder.setLength(0);
        for (int i = 0; i < 5; i++) {
            builder.append(i);
        }
    }
}
