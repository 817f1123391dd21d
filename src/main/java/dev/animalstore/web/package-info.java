/**
 * What every resource shares: error bodies, strict input, pages of lists, lists that are exact in memory, what holds for each request before anything
 * reads it, and the OpenAPI document.
 */
package dev.animalstore.web;
