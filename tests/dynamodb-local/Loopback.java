import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import software.amazon.dynamodb.services.local.main.ServerRunner;
import software.amazon.dynamodb.services.local.server.DynamoDBProxyServer;

/** DynamoDB Local on a free port of the loopback interface: by itself it listens on every address of the machine. */
class Loopback {
  public static void main(String[] arguments) throws Exception {
    DynamoDBProxyServer engine = ServerRunner.createServerFromCommandLineArgs(arguments);
    var field = DynamoDBProxyServer.class.getDeclaredField("server");
    field.setAccessible(true);
    var connector = (ServerConnector) ((Server) field.get(engine)).getConnectors()[0];
    connector.setHost("127.0.0.1");
    connector.setPort(0);
    engine.start();
    System.out.println("Listening on port " + connector.getLocalPort());
    // It ends with the process that started it, however that one ends.
    while (System.in.read() != -1);
    System.exit(0);
  }
}
