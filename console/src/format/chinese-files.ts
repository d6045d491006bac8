import i18next from 'i18next'
import type { LedgerColumn, UsageColumn } from '../../../src/features/records/reports/exports-contract.ts'
import { type CsvWords, csvInChinese } from './csv.ts'

/** Looks a word up in the pages; unknown words stay as they are. */
const wordIn = (section: string) => (cell: string) =>
  i18next.t(`${section}.${cell}` as never, { defaultValue: cell }) as string

const usage: CsvWords<UsageColumn> = {
  columns: {
    chargeId: '扣费编号',
    operation: '接口',
    credits: '点数',
    state: '状态',
    keyId: '密钥编号',
    keyDisplayPrefix: '密钥前缀',
    requestId: '请求编号',
    'reservedAt (Asia/Shanghai)': '调用时间（北京时间）',
    'endedAt (Asia/Shanghai)': '完成时间（北京时间）',
    reasonCode: '错误码',
    reasonText: '原因',
    keyName: '密钥名称',
    upstreamCode: '服务商错误码',
  },
  cells: {
    operation: wordIn('operations'),
    state: wordIn('chargeStates'),
    reasonText(text, of) {
      const code = of('reasonCode')
      const section = i18next.exists(`reasons.${code}`) ? 'reasons' : 'errors'
      return i18next.t(`${section}.${code}` as never, { defaultValue: text }) as string
    },
  },
}

const ledger: CsvWords<LedgerColumn> = {
  columns: {
    seq: '序号',
    kind: '类型',
    amount: '点数',
    available: '可用',
    reserved: '冻结',
    chargeId: '扣费编号',
    operation: '接口',
    creditLotId: '入账批次编号',
    orderId: '订单号',
    'enteredAt (Asia/Shanghai)': '时间（北京时间）',
    reference: '凭证号',
  },
  cells: { kind: wordIn('ledger.kinds'), operation: wordIn('operations') },
}

export const usageInChinese = (file: Blob) => csvInChinese(file, usage)
export const ledgerInChinese = (file: Blob) => csvInChinese(file, ledger)
