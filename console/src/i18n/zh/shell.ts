import type { StartMessages } from '../messages.ts'
import { namesIn } from '../operation-names.ts'

export const shell: Omit<
  StartMessages,
  | 'errors'
  | 'auth'
  | 'overview'
  | 'recharge'
  | 'usage'
  | 'receipt'
  | 'ledger'
  | 'reviews'
  | 'keys'
  | 'account'
  | 'tables'
> = {
  product: 'API 中继网关',
  nav: {
    label: '控制台',
    skip: '跳到正文',
    menu: '菜单',
    closeMenu: '关闭菜单',
    money: '费用',
    building: '开发',
    you: '账号',
    docs: '接口文档',
    unread_other: '{{count}} 条未读通知',
    openReviews_other: '{{count}} 次调用待确认',
  },
  preferences: {
    language: '语言',
    scheme: '主题',
    light: '浅色',
    dark: '深色',
    system: '跟随系统',
  },
  common: {
    credits: '点',
    creditsCount_other: '{{amount}} 点',
    callsCount_other: '{{amount}} 次调用',
    seconds_other: '{{count}} 秒',
    minutes_other: '{{count}} 分钟',
    perSecond: '每秒 {{credits}}',
    comma: '，',
    available: '可用余额',
    copy: '复制',
    copied: '已复制',
    copyFailed: '复制失败，请手动选择文字复制。',
    cancel: '取消',
    close: '关闭',
    loading: '加载中',
    loadMore: '查看更早的记录',
    lookFurther: '继续往前查找',
    exportCsv: '导出 CSV',
    exportCut: '文件已达到行数上限，请缩小日期范围后分批导出。',
    tryAgain: '重试',
    none: '无',
    optional: '选填',
    timesIn: '时间均为北京时间（UTC+8）',
    required: '此项为必填。',
    notFound: '页面不存在',
    notFoundHint: '请检查链接是否正确，或返回总览。',
    toOverview: '返回总览',
    showKey: '显示',
    hideKey: '隐藏',
  },
  trouble: {
    title: '出错了',
    waitTitle: '操作过于频繁',
    offlineTitle: '无法连接服务器',
    offline: '网络已断开。页面内容可能不是最新的，当前操作不会发送。',
    unreachable: '请检查网络后重试。',
    lostTitle: '未收到响应',
    wait: '请在 {{time}}后重试。',
    waitOver: '现在可以重试了。',
    budgetReached: '此密钥的预算已用完，调用未发出。请调高预算或更换密钥，无需充值。',
    raiseBudget: '修改密钥预算',
    request: '请求 ID {{id}}',
    notLoadedTitle: '页面加载失败',
    notLoaded: '暂时无法连接服务器。您的余额和数据不受影响。',
    crashed: '页面出错了。您的余额和数据不受影响。',
    reload: '刷新页面',
    starting: '正在打开控制台',
  },
  operations: namesIn('zh'),
  chargeStates: {
    reserved: '冻结中',
    settled: '已扣费',
    released: '已退回',
    manual_review: '待确认',
  },
  reasons: {
    PROVIDER_ANSWERED_TIMEOUT: '服务商返回超时。',
    PROVIDER_TIMED_OUT: '服务商未在规定时间内响应。',
    PROVIDER_CONNECTION_LOST: '服务商在响应前断开了连接。',
    PROVIDER_RESPONSE_CUT: '服务商的响应中途断开。',
    PROVIDER_RESPONSE_GARBLED: '服务商返回了无效的响应。',
    ADAPTER_FAILED_AFTER_SENDING: '调用发出后，网关出错。',
    INSTANCE_STOPPED_DURING_CALL: '调用进行中，网关停止了运行。',
    PROVIDER_JOB_FAILED: '服务商报告任务失败。',
    PROVIDER_JOB_CANCELLED: '任务已取消。',
    PROVIDER_JOB_NOT_ACCEPTED: '服务商没有接受这个任务。',
    PROVIDER_JOB_FORGOTTEN: '服务商已查不到这个任务。',
    PROVIDER_JOB_UNTRACEABLE: '服务商无法确认是否接受了这个任务。',
    PROVIDER_JOB_ID_REUSED: '服务商返回的任务编号属于另一个任务。',
    PROVIDER_JOB_OVERDUE: '任务超过期限一天后仍在运行。',
    INSTANCE_STOPPED_BEFORE_FORWARDING: '调用发出前，网关停止了运行。',
  },
  keyStates: { active: '有效', revoked: '已吊销', expired: '已过期' },
  orderStates: {
    pending: '待支付',
    simulated_paid: '已支付（模拟）',
    credited: '已到账',
    cancelled: '已取消',
    expired: '已过期',
  },
  scopes: {
    'models:invoke': '调用模型',
    'shopping:search': '购物搜索',
    'pick:read': '商品搜索、筛选、对比和检查',
    'pick:link': '获取商品链接',
    'agent:run': '运行购物智能体',
    'media:run': '生成视频',
  },
}
