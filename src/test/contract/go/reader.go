// Command reader reads the pets on its standard input with the Go client that is generated from the document.
package main

import (
	"encoding/json"
	"log"
	"math"
	"os"

	"dev.animalstore/client"
)

func main() {
	var pets []openapi.Pet
	if err := json.NewDecoder(os.Stdin).Decode(&pets); err != nil {
		log.Fatal(err)
	}
	pet := pets[0]
	if pet.Name != "Österreich 🐈" || pet.CategoryId != math.MinInt64 {
		log.Fatal(pet)
	}
}
