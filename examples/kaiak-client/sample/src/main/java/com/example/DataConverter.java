package com.example;

import java.nio.charset.StandardCharsets;
import javax.xml.bind.DatatypeConverter;

/** Packs texts for transports that take only ASCII. */
public final class DataConverter {
  private DataConverter() {}

  public static String pack(String text) {
    return DatatypeConverter.printBase64Binary(text.getBytes(StandardCharsets.UTF_8));
  }

  public static String unpack(String packed) {
    return new String(DatatypeConverter.parseBase64Binary(packed), StandardCharsets.UTF_8);
  }
}
