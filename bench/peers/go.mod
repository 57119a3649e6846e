module plant-store-schema

go 1.26
