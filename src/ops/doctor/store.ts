import type { StoreFacts } from '../../storage/store-facts.ts'
import type { OutdatedCounts } from '../secrets.ts'
import { type Finding, findingsOf } from './finding.ts'

export interface CheckedStore {
  readonly check: () => Promise<void>
  readonly facts: () => Promise<StoreFacts>
  /** Rejects with `SecretUnusable` if the store was written with another secret. */
  readonly outdatedSecrets: () => Promise<OutdatedCounts>
  /** Why the public log cannot be signed; null if it can. */
  readonly transparencyFault: () => Promise<string | null>
  /** Other instances that must compare their kept checkpoints before anything is signed. */
  readonly keepersNotChecked: () => Promise<readonly { readonly host: string }[]>
  /** When the oldest ledger entry was entered that is not in the public tree; null if all are. */
  readonly oldestOutsideTree: () => Promise<number | null>
  /** Witnesses that have not cosigned the newest cosigned checkpoint. */
  readonly silentWitnesses: () => Promise<readonly string[]>
}

/** Checks that the store is writable, undamaged, migrated and durable, and that its clock agrees with this machine's. */
export async function checkStore({ check, facts }: CheckedStore, clock: () => number): Promise<Finding[]> {
  const store = findingsOf('store')
  try {
    await check()
  } catch (error) {
    const { message } = error as Error
    return [
      store.failure(message, 'Check that its disk has space and that no other program locks it.', [
        `无法写入：${message}`,
        '请检查磁盘空间，以及是否被其他程序锁定。',
      ]),
    ]
  }
  const askedAt = clock()
  const { name, damage, schema, durability, replication, clockMs, newestMs } = await facts()
  const receivedAt = clock()
  return [
    damage === null
      ? store.ok(`${name} responds and is writable`, `${name} 响应正常，可写`)
      : store.failure(`it is damaged: ${damage}`, 'Stop the gateway and restore the store from a backup.', [
          `已损坏：${damage}`,
          '请停止网关，并从备份恢复。',
        ]),
    schemaFinding(schema),
    ...durabilityFindings(durability),
    ...(replication ? [replicationFinding(replication)] : []),
    ...clockFindings([
      {
        gapMs: clockMs === null ? 0 : Math.max(askedAt - clockMs, clockMs - receivedAt),
        what: "away from the database's clock",
        zh: '与数据库时钟相差',
      },
      { gapMs: newestMs === null ? 0 : newestMs - receivedAt, what: 'behind the newest charge', zh: '比最新的扣费慢' },
    ]),
  ]
}

const longestLagMs = 600_000

/** After a restore of an older copy, the log is not the one whose checkpoints payers hold. */
export async function checkTransparency(
  tree: Pick<CheckedStore, 'transparencyFault' | 'keepersNotChecked' | 'oldestOutsideTree' | 'silentWitnesses'>,
  clock: () => number,
): Promise<Finding[]> {
  const { ok, warning, failure } = findingsOf('transparency')
  const { transparencyFault, keepersNotChecked, oldestOutsideTree, silentWitnesses } = tree
  const fault = await transparencyFault()
  const waitsMs = clock() - ((await oldestOutsideTree()) ?? clock())
  if (fault === null && waitsMs > longestLagMs) {
    const minutes = Math.floor(waitsMs / 60_000)
    const advice = 'If no gateway runs, start one; else look in its log for why the ledger cannot be appended.'
    return [
      failure(`the oldest entry that is not in the public tree has waited ${minutes} minutes`, advice, [
        `最早的未入树记录已等待 ${minutes} 分钟`,
        '若网关未运行，请启动；否则请在网关日志中查看原因。',
      ]),
    ]
  }
  const waitedFor = fault === null ? await keepersNotChecked() : []
  if (waitedFor.length > 0) return [waiting(waitedFor.map(({ host }) => host).join(', '))]
  if (fault === null) {
    const silent = await silentWitnesses()
    const advice = 'Check its address and that it knows the key of this log; the gateway log shows its responses.'
    return [
      ok('the log continues what was published', '与已公开的内容一致'),
      ...silent.map((name) =>
        warning(`the witness ${name} did not cosign the newest cosigned checkpoint`, advice, [
          `见证方 ${name} 未联署最新的联署检查点`,
          '请检查它的地址，以及它是否登记了本日志的公钥；网关日志中有它的应答。',
        ]),
      ),
    ]
  }
  const remedy = 'Restore the newest copy, or announce it: npm run gateway -- transparency fork --reason TEXT'
  return [
    failure(`nothing is signed: ${fault}`, remedy, [
      `已停止签名：${fault}`,
      '请恢复最新的副本，或公告分叉：npm run gateway -- transparency fork --reason 原因',
    ]),
  ]
}

/** Not a failure: it is so before the first start after a restore. */
const waiting = (hosts: string): Finding =>
  findingsOf('transparency').warning(
    `the database was restored or its server has changed: nothing is signed before every other instance has checked its checkpoint (${hosts})`,
    'Start them. If one never comes back: npm run gateway -- transparency resume --reason TEXT',
    [
      `数据库服务器已更换：其他实例（${hosts}）核对检查点之前不会签名`,
      '请启动这些实例；若其中有不再使用的：npm run gateway -- transparency resume --reason 原因',
    ],
  )

/** A store that this program cannot serve is not even opened. */
function schemaFinding({ version, name, known, missing }: StoreFacts['schema']): Finding {
  const { ok, warning } = findingsOf('schema')
  if (missing > 0) {
    return warning(
      `is at version ${version} (${name}), which this program can serve; it knows version ${known}`,
      'Run npm run gateway -- migrate.',
      [`当前为版本 ${version}（${name}），可以使用；本程序的最新版本为 ${known}`, '请运行：npm run gateway -- migrate'],
    )
  }
  if (version > known) {
    return warning(
      `is at version ${version} (${name}), which this program can serve, although it knows only version ${known}`,
      'Upgrade this gateway.',
      [`当前为版本 ${version}（${name}），可以使用，但本程序只到版本 ${known}`, '请升级此网关。'],
    )
  }
  return ok(
    `is at version ${version} (${name}), the newest that this program knows`,
    `版本 ${version}（${name}），已是最新`,
  )
}

function durabilityFindings(settings: StoreFacts['durability']): Finding[] {
  const { ok, failure } = findingsOf('durability')
  const unsafe = settings.filter(({ isSafe }) => !isSafe)
  if (unsafe.length === 0) {
    const listed = (verb: string, comma: string) =>
      settings.map(({ setting, value }) => `${setting}${verb}${value}`).join(comma)
    return [ok(listed(' is ', ', '), listed(' 为 ', '，'))]
  }
  return unsafe.map(({ setting, value }) =>
    failure(`${setting} is ${value}: a power cut can lose what was committed`, `Turn ${setting} on in the database.`, [
      `${setting} 为 ${value}：断电可能丢失已提交的数据`,
      `请在数据库中开启 ${setting}。`,
    ]),
  )
}

function replicationFinding({
  isRequired,
  synchronous,
  standbys,
  lagBytes,
}: NonNullable<StoreFacts['replication']>): Finding {
  const { ok, warning, failure } = findingsOf('replication')
  if (!isRequired) {
    return warning(
      `commits wait for no standby (${standbys} connected): losing the database's machine loses its last commits`,
      'Set synchronous_standby_names; see docs/recovery.md.',
      [
        `提交不等待备库（已连接 ${standbys} 个）：主库机器损坏会丢失最后的提交`,
        '请设置 synchronous_standby_names，参阅 docs/recovery.md。',
      ],
    )
  }
  if (synchronous === null) {
    return warning('the state of the standbys is not visible', "Grant pg_monitor to the gateway's user.", [
      '看不到备库的状态',
      '请将 pg_monitor 授予网关的数据库用户。',
    ])
  }
  if (synchronous === 0) {
    return failure(
      'commits wait for a synchronous standby, and none is connected',
      'Bring it back; until then, calls fail with 500.',
      ['提交需要等待同步备库，但没有备库连接', '请恢复备库；在此之前调用会返回 500。'],
    )
  }
  return ok(
    `${synchronous} synchronous standby connected, ${lagBytes ?? 0} bytes behind`,
    `已连接 ${synchronous} 个同步备库，落后 ${lagBytes ?? 0} 字节`,
  )
}

const warnAfterMs = 5000
const failAfterMs = 60_000

/** A wrong clock breaks rate limits, sessions and leases, but not the books. */
function clockFindings(measured: { gapMs: number; what: string; zh: string }[]): Finding[] {
  const { ok, warning, failure } = findingsOf('clock')
  const gaps = measured.filter(({ gapMs }) => gapMs > warnAfterMs)
  if (gaps.length === 0) return [ok('agrees with the store', '与存储一致')]
  return gaps.map(({ gapMs, what, zh }) =>
    (gapMs > failAfterMs ? failure : warning)(
      `this machine is ${Math.round(gapMs / 1000)} s ${what}`,
      'Synchronize the clock with NTP.',
      [`本机时钟${zh} ${Math.round(gapMs / 1000)} 秒`, '请用 NTP 同步时钟。'],
    ),
  )
}
