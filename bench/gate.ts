import { execFileSync } from 'node:child_process'
import { existsSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { cpuRatio, find } from './goals.ts'
import type { Measured } from './measure.ts'
import { fixed, table } from './report/table.ts'

/** More than this share above the published build is a call that has become dearer. */
const allowed = 0.1
const compared = ['local-sqlite', 'local-postgres', 'relay-sqlite', 'replay']

/** The build of the published table. */
export interface PublishedBuild {
  readonly root: string
  readonly commit: string
}

/** The contestant that is the same as `id`, but of the published build. */
export const publishedId = (id: string): string => `${id}-published`

/**
 * Each call is compared with the published build in the same round. Its ratio to an echo is another one on a machine that is twice
 * as fast, and machines change their speed.
 */
export const gateContestants = compared.flatMap((id) => [id, publishedId(id)])

/** The commit of a published report, in a folder of its own, with the packages that are installed here. */
export function checkOutPublished(report: string, folder: string): PublishedBuild {
  const root = resolve(import.meta.dirname, '..')
  const commit = /^- commit: ([0-9a-f]{7,40})/m.exec(report)?.[1]
  if (commit === undefined) throw new Error('the published table names no commit')
  execFileSync('git', ['clone', '--quiet', '--shared', '--no-checkout', root, folder])
  execFileSync('git', ['-C', folder, 'checkout', '--quiet', '--detach', commit])
  for (const packages of ['node_modules', 'console/node_modules']) {
    if (existsSync(join(root, packages))) symlinkSync(join(root, packages), join(folder, packages))
  }
  return { root: folder, commit }
}

export interface ComparedCost {
  readonly name: string
  /** CPU time of a call, its database server's included, as a multiple of the published build's. */
  readonly ratio: number
  readonly isDearer: boolean
}

export const compareCosts = (measured: readonly Measured[]): ComparedCost[] =>
  compared.map((id) => {
    const ratio = cpuRatio(measured, [id, publishedId(id)])!
    return { name: find(measured, id)!.contestant.name, ratio, isDearer: ratio > 1 + allowed }
  })

export const gateTable = (costs: readonly ComparedCost[], { commit }: PublishedBuild): string =>
  table(
    ['CPU of a call', `of ${commit}`, ''],
    costs.map(({ name, ratio, isDearer }) => [name, fixed(ratio, 2), isDearer ? '**dearer**' : '']),
  )
