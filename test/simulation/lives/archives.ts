import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { ArchiveLine } from '../../../src/features/records/archives/records.ts'
import type { BeginLife, LifeScene } from './life.ts'

/** Every line of the archive that the store has a record of. */
function archivedLines({ store, template }: LifeScene): ArchiveLine[] {
  const files = store.db.all<{ name: string; bytes: number }>('SELECT file_name AS name, bytes FROM archive_files')
  return files.flatMap(({ name, bytes }) => {
    const packed = readFileSync(join(template.config.dataDir, 'archives', name)).subarray(0, bytes)
    const lines = gunzipSync(packed).toString().split('\n')
    return lines.flatMap((line) => (line === '' ? [] : [JSON.parse(line) as ArchiveLine]))
  })
}

/** Whatever leaves the store is in the archive, once and as it was. */
function check(scene: LifeScene): void {
  const { world, store, checks, truth } = scene
  if (!checks.hasArchived || truth.hasLostCommits) return
  const lines = archivedLines(scene)
  const charges = new Map(lines.flatMap((line) => (line.type === 'charge' ? [[line.chargeId, line.state]] : [])))
  if (charges.size > 0) world.reach('archives: charges were archived')
  const kept = new Set(store.db.all<{ id: string }>('SELECT charge_id AS id FROM charges').map(({ id }) => id))
  for (const [chargeId, state] of checks.states) {
    const archived = charges.get(chargeId)
    if (archived === undefined && !kept.has(chargeId)) world.fail(`${chargeId} is neither in the store nor archived`)
    if (archived !== undefined && archived !== state) world.fail(`${chargeId} is ${state}, and archived as ${archived}`)
  }
  const entries = new Map<string, number[]>()
  const stored = store.db.all<{ projectId: string; seq: number }>(
    'SELECT project_id AS "projectId", seq FROM ledger_entries',
  )
  for (const { projectId, seq } of [...lines.filter((line) => line.type === 'entry'), ...stored]) {
    const numbers = entries.get(projectId) ?? []
    numbers.push(seq)
    entries.set(projectId, numbers)
  }
  for (const [projectId, numbers] of entries) {
    const isWhole = numbers.sort((a, b) => a - b).every((seq, index) => seq === index + 1)
    if (!isWhole) world.fail(`the ledger of ${projectId} is not whole over store and archive`)
  }
}

export const archives: BeginLife = (scene) => ({ check: () => check(scene) })
