class Main {
  static String greeting() {
    return "Hi";
  }
}
