import { migrations } from '../../../src/storage/schema/migrations.ts'

const steps = migrations.slice(1).map(({ version }) => version)

/** What many worlds of two versions must reach; see `expectedReach`. */
export const versionReach: readonly string[] = [
  ...steps.map((step) => `versions: step ${step} while the old one serves`),
  ...steps.map((step) => `versions: all steps from ${step} on were taken on a copy`),
  'versions: a step waited for the old one to end',
  'versions: migrate was killed',
  'versions: the new one accepted the schema',
  'versions: the new one refused the schema',
  'versions: the new one replaces the other after the last step',
  'versions: the new one replaces the other before the last step',
  'versions: the old one accepted the schema',
  'versions: the old one refused the schema',
  'versions: the old one replaces the other after the last step',
  'versions: the old one replaces the other before the last step',
  'versions: only the new one is left',
]
