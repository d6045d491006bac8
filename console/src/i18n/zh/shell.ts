import { chargeStatesInChinese, reasonsInChinese } from '../../../../src/contract/chinese-records.ts'
import type { StartMessages } from '../messages.ts'
import { namesIn } from '../operation-names.ts'

export const shell: Omit<
  StartMessages,
  | 'errors'
  | 'auth'
  | 'overview'
  | 'recharge'
  | 'usage'
  | 'chargeDetails'
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
    exportCut: '文件已达行数上限，请缩小日期范围后分批导出。',
    tryAgain: '重试',
    none: '无',
    optional: '选填',
    note: '（{{text}}）',
    timesIn: '时间均为北京时间（UTC+8）。',
    nameInvisible: '名称中含有控制字符或不可见字符，请重新输入。',
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
    offline: '网络已断开，页面内容可能不是最新，操作也不会提交。',
    unreachable: '请检查网络后重试。',
    lostTitle: '未收到响应',
    wait: '请在 {{time}}后重试。',
    waitOver: '现在可以重试了。',
    budgetReached: '此密钥的预算已用完，调用未发出。请调高预算或更换密钥，无需充值。',
    raiseBudget: '修改密钥预算',
    request: '请求编号 {{id}}',
    notLoadedTitle: '页面加载失败',
    notLoaded: '暂时无法连接服务器。您的余额和数据不受影响。',
    crashed: '页面出错了。您的余额和数据不受影响。',
    reload: '刷新页面',
    starting: '正在打开控制台',
  },
  operations: namesIn('zh'),
  chargeStates: chargeStatesInChinese,
  reasons: reasonsInChinese,
  search: {
    open: '搜索',
    label: '编号、密钥名称或页面',
    hint: '支持完整编号或编号开头（chg_、req_、ord_、pay_、key_、job_、evt_）、部分密钥名称或页面名称。',
    results: '搜索结果',
    none: '未找到结果。',
    searching: '正在搜索',
    count_one: '{{count}} 个结果',
    count_other: '{{count}} 个结果',
    kinds: {
      charge: '调用',
      request: '请求',
      order: '订单',
      payment: '支付',
      key: 'API 密钥',
      job: '视频任务',
      event: '通知',
    },
    page: '页面',
    action: '操作',
    newKey: '新建 API 密钥',
    addCredits: '充值',
    failedCalls: '查看失败的调用',
  },
  keyStates: { active: '有效', revoked: '已吊销', expired: '已过期' },
  orderStates: {
    pending: '待支付',
    simulated_paid: '已支付（模拟）',
    credited: '已到账',
    cancelled: '已取消',
    expired: '已过期',
    in_review: '待确认',
    failed: '未成功',
  },
  scopes: {
    'models:invoke': '调用模型',
    'shopping:search': '购物搜索',
    'pick:read': '选品搜索、筛选、对比和检查',
    'pick:link': '获取商品链接',
    'agent:run': '运行购物智能体',
    'media:run': '生成视频',
  },
}
