import CCurl
import CPlatform
import LaunchHTTP

/// The thread that runs all transfers of a transport, and the only one that touches libcurl's handles.
final class Engine {
  private let mailbox: Mailbox
  private let multi: MultiHandle
  private let ledger = ConnectionLedger()
  /// In the order they started.
  private var transfers: [Transfer] = []
  /// What has ended in this round: whom to flush and to resume, and with what.
  private var outcomes: [(submission: Submission, error: TransportError?)] = []

  private init(_ multi: MultiHandle, _ mailbox: Mailbox) {
    self.multi = multi
    self.mailbox = mailbox
  }

  /// Starts an engine and returns the mailbox it reads until that is closed.
  static func start() -> Mailbox {
    Library.start()
    let multi = unsafe curl_multi_init().map { unsafe MultiHandle(pointer: $0) }
    let mailbox = Mailbox(multi)
    guard let multi else {
      mailbox.close(because: TransportError(.connect, during: .connect, "libcurl cannot be set up"))
      return mailbox
    }
    let start = unsafe Unmanaged.passRetained(Start(multi: multi, mailbox: mailbox))
    let result = unsafe launch_thread(1 << 20, engineThread, start.toOpaque())
    if result != 0 {
      unsafe start.release()
      mailbox.close(because: TransportError(.connect, during: .connect, "the system has no thread left (\(result))"))
      mailbox.end()
      unsafe curl_multi_cleanup(multi.pointer)
    }
    return mailbox
  }

  /// What a new engine thread gets.
  fileprivate final class Start: Sendable {
    let multi: MultiHandle
    let mailbox: Mailbox

    init(multi: MultiHandle, mailbox: Mailbox) {
      self.multi = multi
      self.mailbox = mailbox
    }

    func run() { Engine(multi, mailbox).run() }
  }

  private func run() {
    unsafe launch_name_thread("launch-curl")
    while true {
      let (commands, closing) = mailbox.take()
      for command in commands {
        switch command {
        case .start(let submission): start(submission)
        case .cancel(let id): cancel(id)
        }
      }
      if let closing { stopAll(.cancelled, closing.message) }
      perform()
      settle()
      if closing != nil { break }
      wait()
    }
    mailbox.end()
    unsafe curl_multi_cleanup(multi.pointer)
  }

  private func start(_ submission: Submission) {
    do throws(TransportError) {
      let transfer = try Transfer(submission, ledger: ledger)
      let code = unsafe curl_multi_add_handle(multi.pointer, transfer.easy.pointer)
      guard code == CURLM_OK else { throw .unsendable(Self.text(code)) }
      transfers.append(transfer)
    } catch {
      submission.sink.receive(.failed(error))
      outcomes.append((submission, error))
    }
  }

  private func cancel(_ id: Int) {
    guard let transfer = transfers.first(where: { $0.submission.id == id }) else { return }
    remove(transfer, with: transfer.stop(.cancelled, "the task was cancelled"))
  }

  private func stopAll(_ reason: TransportError.Reason, _ message: String) {
    for transfer in transfers { remove(transfer, with: transfer.stop(reason, message)) }
  }

  /// Lets libcurl do what can be done now, which calls the transfers back, and takes note of what has ended.
  private func perform() {
    var running: Int32 = 0
    let code = unsafe curl_multi_perform(multi.pointer, &running)
    guard code == CURLM_OK else { return stopAll(.protocol, Self.text(code)) }
    // A message is gone when its handle is removed, so the messages are read first.
    var ended: [(Transfer, CURLcode)] = []
    var remaining: Int32 = 0
    while let message = unsafe curl_multi_info_read(multi.pointer, &remaining) {
      guard unsafe message.pointee.msg == CURLMSG_DONE, let easy = unsafe message.pointee.easy_handle,
        let transfer = unsafe EasyHandle.transfer(of: easy)
      else { continue }
      ended.append((transfer, unsafe message.pointee.data.result))
    }
    for (transfer, code) in ended { remove(transfer, with: transfer.finish(code)) }
  }

  /// Takes the transfer out of libcurl, which closes a connection with half an exchange on it.
  private func remove(_ transfer: Transfer, with error: TransportError?) {
    unsafe curl_multi_remove_handle(multi.pointer, transfer.easy.pointer)
    transfers.removeAll { $0 === transfer }
    outcomes.append((transfer.submission, error))
  }

  /// Flushes every sink touched in this round, and then resumes the senders whose exchanges have ended.
  private func settle() {
    for transfer in transfers where transfer.needsFlush { transfer.flush() }
    for (submission, _) in outcomes { submission.sink.flush() }
    for (submission, error) in outcomes { submission.continuation.resume(returning: error) }
    outcomes = []
  }

  /// Waits for something to do: bytes, room to write, one of libcurl's timers, or mail.
  private func wait() {
    let code = unsafe curl_multi_poll(multi.pointer, nil, 0, 3_600_000, nil)
    guard code == CURLM_OK else { return stopAll(.protocol, Self.text(code)) }
  }

  private static func text(_ code: CURLMcode) -> String { unsafe String(cString: curl_multi_strerror(code)) }
}

/// The body of an engine's thread. A function, because a closure made in isolated code would trap there.
private func engineThread(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
  unsafe Unmanaged<Engine.Start>.fromOpaque(context).takeRetainedValue().run()
  return nil
}
