#pragma once
// One connection: reads requests one after the other, has them answered, and watches the clock.
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <memory>
#include <string>

#include "serve/http.h"
#include "serve/limits.h"

namespace nrs::serve {

// A connection as the server sees it. All but the destructor is called by the thread that runs the
// io_context.
class Connection {
 public:
  virtual ~Connection() = default;
  virtual void start() = 0;
  // The server is stopping: a request that does not come soon does not come any longer.
  virtual void last_call() = 0;
  virtual void close() = 0;
};

// What a connection needs of the server. Called by the same thread.
class Hub {
 public:
  virtual ~Hub() = default;
  virtual const Limits& limits() const = 0;
  virtual Handler& handler() = 0;
  virtual bool stopping() const = 0;
  // The client has the turn from now on; we have it; the connection is closed.
  virtual void waits(Connection& connection) = 0;
  virtual void works(Connection& connection) = 0;
  virtual void gone(Connection& connection) = 0;
  // Room for a body. False if there is none now.
  virtual bool reserve(std::size_t bytes) = 0;
  virtual void release(std::size_t bytes) = 0;
};

struct Accepted {
  int descriptor;
  boost::asio::ip::tcp protocol;
  std::string client;  // its address
};

// Takes the descriptor. The io_context lives as long as its connections: an answer may come when
// nobody runs it any longer.
std::shared_ptr<Connection> make_connection(std::shared_ptr<boost::asio::io_context> context,
                                            Accepted accepted, Hub& hub);

}  // namespace nrs::serve
