import type { components } from '../../../../target/contract/types';

// The smallest pet of the document, with the types that openapi-typescript generates from it.
export const minimal: components['schemas']['NewPet'] = { name: 'Mimi', categoryId: 2 };
