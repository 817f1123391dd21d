# Reads the pets on its standard input with the Ruby client that is generated from the document.

require 'openapi_client'

body = STDIN.set_encoding('UTF-8').read
response = Typhoeus::Response.new(code: 200, headers: { 'Content-Type' => 'application/json' }, body: body)
Typhoeus.stub(/pets/).and_return(response)
pet = OpenapiClient::PetsApi.new.list_pets.fetch(0)
abort pet.inspect unless pet.name == 'Österreich 🐈' && pet.category_id == -2**63
