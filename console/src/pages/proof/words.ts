import { stepWords } from '../../../site/verify/step-words.ts'
import type { Translated } from '../../i18n/messages.ts'

declare module '../../i18n/messages.ts' {
  interface PageWords {
    readonly proof: typeof en
  }
}

const en = {
  title: 'Receipts and proof',
  lead: 'Verify in this browser that your charges are in the public log and that its history was not rewritten.',
  seen: 'Checkpoints seen by this browser',
  seenHint:
    'Stored only on this device. The current log must begin with each of them. If it does not, its history was rewritten.',
  none: 'No checkpoint yet',
  noneHint: 'The first one appears a few seconds after your first ledger entry.',
  at: 'Seen',
  log: 'Log',
  size: 'Entries',
  standing: 'Result',
  file: 'File',
  download: 'Download',
  standings: {
    current: 'Current',
    consistent: 'Consistent',
    otherLog: 'Another log',
    rewritten: 'Rewritten',
    unknown: 'Unknown',
  },
  judgements: {
    first: 'First checkpoint recorded',
    consistent: 'Nothing was rewritten',
    otherLog: 'A new log was started',
    unknown: 'Some checkpoints could not be compared',
    rewritten: 'History was rewritten',
  },
  judgementHints: {
    first:
      'There is no older one to compare it with yet. From your next visit on, this page can tell whether the history was rewritten.',
    consistent: 'The current log agrees with every checkpoint this browser has seen.',
    otherLog:
      'The operator announced a fork, for example after restoring a backup. Ask why. Older checkpoints cannot be compared with the new log.',
    unknown: 'Part of the log could not be read. Check again later.',
    rewritten:
      'The current log contradicts a checkpoint that the gateway signed. Download that checkpoint as evidence.',
  },
  statement: 'Monthly statements',
  statementHint:
    'Opening and closing balances and every day, to print or to keep as a signed file with a digest of all entries.',
  openStatement: 'Open the statement',
  elsewhere: 'Verify without this console',
  elsewhereHint:
    'Anyone with a receipt, the public keys and a saved checkpoint can verify offline, with Node.js and one file that you can read first:',
  program: 'Verifier (verify.mjs)',
  keys: 'Public keys',
  page: 'Verification page (no sign-in needed)',
  checkAgain: 'Check again',
  unableTitle: 'This browser cannot verify',
  unable:
    'It does not support Ed25519, or the page was not opened over HTTPS. Use an up-to-date browser or the command line.',
  verified: 'Verified',
  verifiedHint: 'Checked in this browser, step by step.',
  pending: 'Not in the log yet',
  pendingHint:
    'The gateway signed this receipt. Its entries reach the log within seconds, and this page keeps checking until they do.',
  notVerified: 'Not verified',
  notVerifiedHint: 'At least one check failed. Keep the receipt and contact the operator.',
  signed: 'What was signed',
  ...stepWords.en,
} as const

const zh: Translated<typeof en> = {
  title: '收据与存证',
  lead: '在浏览器中核验您的扣费已写入公开日志，且历史记录未被改写。',
  seen: '本浏览器记录的检查点',
  seenHint: '仅保存在本设备上。当前日志的开头应与每个检查点一致，否则说明历史已被改写。',
  none: '暂无检查点',
  noneHint: '产生第一笔收支后，几秒内即可看到。',
  at: '时间',
  log: '日志',
  size: '条数',
  standing: '结果',
  file: '文件',
  download: '下载',
  standings: {
    current: '当前',
    consistent: '一致',
    otherLog: '其他日志',
    rewritten: '已被改写',
    unknown: '未知',
  },
  judgements: {
    first: '已记录首个检查点',
    consistent: '历史未被改写',
    otherLog: '已启用新日志',
    unknown: '部分检查点无法比对',
    rewritten: '历史已被改写',
  },
  judgementHints: {
    first: '目前没有更早的检查点可供比对，下次访问起即可判断历史是否被改写。',
    consistent: '当前日志与本浏览器记录的所有检查点一致。',
    otherLog: '运营方已公告日志分叉（例如从备份恢复后），请向运营方了解原因。旧检查点无法与新日志比对。',
    unknown: '部分日志暂时无法读取，请稍后再试。',
    rewritten: '当前日志与网关签名的检查点不一致，请下载该检查点作为证据。',
  },
  statement: '月度对账单',
  statementHint: '期初、期末余额与每日明细，可打印，也可下载带签名的文件存档。',
  openStatement: '查看对账单',
  elsewhere: '在控制台之外核验',
  elsewhereHint: '任何人凭收据、公钥和保存的检查点，都可以离线核验。只需 Node.js 和一个文件，运行前可先查看其内容：',
  program: '核验程序（verify.mjs）',
  keys: '公钥',
  page: '无需登录的核验页面',
  checkAgain: '重新核验',
  unableTitle: '此浏览器无法核验',
  unable: '浏览器不支持 Ed25519，或页面未通过 HTTPS 打开。请使用新版浏览器或命令行。',
  verified: '核验通过',
  verifiedHint: '已在本浏览器中逐项核验。',
  pending: '尚未写入日志',
  pendingHint: '收据已由网关签名，相关条目将在几秒内写入日志，届时自动重新核验。',
  notVerified: '核验未通过',
  notVerifiedHint: '至少有一项未通过，请保留收据并联系运营方。',
  signed: '签名内容',
  ...stepWords.zh,
}

export const proof = { en, zh }
