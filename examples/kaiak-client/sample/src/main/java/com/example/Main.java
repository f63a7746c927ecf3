package com.example;

/** Packs a receipt, unpacks it again, and prints its fingerprint. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    String packed = DataConverter.pack("Grüße, 12 €");
    System.out.println(packed);
    System.out.println(DataConverter.unpack(packed).length());
    System.out.println(Fingerprint.of(packed));
  }
}
