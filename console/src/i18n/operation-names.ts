import { operationNames } from '../../../src/contract/operation-names.ts'
import type { ChargedOperation } from '../../../src/contract/prices.ts'

/** The names of the operations in one language. */
export const namesIn = (language: 'en' | 'zh') =>
  Object.fromEntries(Object.entries(operationNames).map(([id, name]) => [id, name[language]])) as Readonly<
    Record<ChargedOperation, string>
  >
