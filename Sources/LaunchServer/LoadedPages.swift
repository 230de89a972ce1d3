import CPlatform

/// Gives back the memory that loading the program took, and that nothing has changed since.
///
/// For a process that serves for long: a third of what it has in the beginning are pages of libraries that were touched to
/// link them, most never again. They come back one by one when they are.
package func giveBackLoadedPages() { launch_give_back_loaded_pages() }
