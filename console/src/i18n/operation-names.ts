import { operationNames } from '../../../src/contract/operation-names.ts'
import type { ChargedOperation } from '../../../src/contract/prices.ts'

export const namesIn = (language: 'en' | 'zh') =>
  Object.fromEntries(Object.entries(operationNames).map(([id, name]) => [id, name[language]])) as Readonly<
    Record<ChargedOperation, string>
  >
