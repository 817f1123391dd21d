<?php

// Reads the pets on its standard input with the PHP client that is generated from the document, and sets their names.

use OpenAPI\Client\Model\NewPet;
use OpenAPI\Client\ObjectSerializer;

spl_autoload_register(function ($class) {
    require 'target/contract/php-client/lib/' . strtr($class, ['OpenAPI\\Client\\' => '', '\\' => '/']) . '.php';
});

$pets = ObjectSerializer::deserialize(stream_get_contents(STDIN), 'OpenAPI\Client\Model\Pet[]');
$name = (new NewPet())->setName($pets[0]->getName())->getName();
exit($name === 'Österreich 🐈' ? 0 : 1);
