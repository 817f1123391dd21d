module dev.animalstore/reader

go 1.19

require dev.animalstore/client v0.0.0

replace dev.animalstore/client => ../../../../target/contract/go-client
