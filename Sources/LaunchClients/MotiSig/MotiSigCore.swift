import LaunchHTTP

/// What the parts of MotiSig's client share.
@MainActor
struct MotiSigCore {
  let transport: any Transport
  let requests: MotiSigRequests
  let phone: Phone
  let mode: MotiSigClient.Mode
  let state: MotiSigState
  let tasks: TaskBag
  let mutations: MotiSigMutations

  init(
    transport: any Transport, requests: MotiSigRequests, phone: Phone, mode: MotiSigClient.Mode, store: LaunchStore
  ) {
    self.transport = transport
    self.requests = requests
    self.phone = phone
    self.mode = mode
    state = MotiSigState(store)
    tasks = TaskBag()
    mutations = MotiSigMutations(tasks: tasks)
  }

  /// Nil when none arrived, and when the client was stopped.
  func response(to request: Request) async -> Response? { try? await transport.response(to: request) }

  /// In whose name a click goes out now; nil when it has to wait.
  func sender(of click: PendingClick) -> String? {
    guard mode == .promised else { return state.userID }
    return click.userID.flatMap { state.isRegistered($0) ? $0 : nil }
  }
}
