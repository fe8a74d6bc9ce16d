-- An address for each service of a vendor: voices here, ears there.

ALTER TABLE vendor_credentials ADD COLUMN base_urls json;  -- by service; null: none but base_url
