import { consoleOperations } from '../../src/app/features.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { publicOperations } from '../../src/contract/operations.ts'
import { mediaOperations } from '../../src/features/calls/media/operations.ts'
import { completionOperations } from '../../src/features/calls/openai/contract.ts'
import { keyReadOperations } from '../../src/features/programs/key-api/contract.ts'
import { providerNames } from '../providers/provider-names.ts'

/** Every operation that the public listener describes in a document. */
export const servedOperations: readonly Operation[] = [
  ...publicOperations(providerNames),
  ...consoleOperations,
  ...mediaOperations(['media_provider_a'], 5),
  ...completionOperations,
  ...keyReadOperations,
]
