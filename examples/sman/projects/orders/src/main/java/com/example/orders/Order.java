package com.example.orders;

import java.util.List;

/** What a customer ordered. */
record Order(String customer, List<OrderLine> lines) {
  /** The value of the goods, without shipping. */
  long goodsCents() {
    return lines.stream().mapToLong(OrderLine::cents).sum();
  }
}
