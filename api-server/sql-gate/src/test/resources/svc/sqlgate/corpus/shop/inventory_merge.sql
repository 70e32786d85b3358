-- Stock import with MERGE
CREATE TABLE inventory (
  warehouse text NOT NULL,
  sku text NOT NULL,
  quantity integer NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (warehouse, sku)
);
CREATE TABLE stock_feed (warehouse text, sku text, quantity integer);

INSERT INTO inventory (warehouse, sku, quantity) VALUES ('berlin', 'a', 5), ('berlin', 'b', 7), ('paris', 'a', 1);
INSERT INTO stock_feed VALUES ('berlin', 'a', 9), ('berlin', 'b', 0), ('berlin', 'c', 4);

MERGE INTO inventory AS i
USING (SELECT warehouse, sku, sum(quantity) AS quantity FROM stock_feed GROUP BY 1, 2) AS f
ON i.warehouse = f.warehouse AND i.sku = f.sku
WHEN MATCHED AND f.quantity = 0 THEN DELETE
WHEN MATCHED THEN UPDATE SET quantity = f.quantity, updated_at = DEFAULT
WHEN NOT MATCHED THEN INSERT (warehouse, sku, quantity) VALUES (f.warehouse, f.sku, f.quantity);

TRUNCATE TABLE stock_feed RESTART IDENTITY;
-- expect: select warehouse, sku, quantity from inventory order by 1, 2 => [{"warehouse":"berlin","sku":"a","quantity":9},
--     {"warehouse":"berlin","sku":"c","quantity":4},{"warehouse":"paris","sku":"a","quantity":1}]
-- expect: select count(*) from stock_feed => 0
